#pragma once

#include <curl/curl.h>
#include <stdint.h>

// Swift cannot call C functions with variable arguments. These give each kind of option and answer
// one function of its own; everything else is called directly.

CURLcode ccurl_global_init(void);

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_size(CURL *easy, CURLoption option, int64_t value);
CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value);

// The callbacks and the pointer that each of them is handed.
CURLcode ccurl_set_read(CURL *easy, curl_read_callback function, void *context);
CURLcode ccurl_set_seek(CURL *easy, curl_seek_callback function, void *context);
CURLcode ccurl_set_write(CURL *easy, curl_write_callback function, void *context);
CURLcode ccurl_set_header(CURL *easy, curl_write_callback function, void *context);
CURLcode ccurl_set_prerequest(CURL *easy, curl_prereq_callback function, void *context);

// What curl does not know is 0.
long ccurl_get_long(CURL *easy, CURLINFO info);
int64_t ccurl_get_size(CURL *easy, CURLINFO info);

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);
// The next transfer that has ended, or NULL.
CURL *ccurl_multi_next_done(CURLM *multi, CURLcode *result);
