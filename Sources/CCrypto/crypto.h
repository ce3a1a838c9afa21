// OpenSSL's libcrypto: digests and HMAC.
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
