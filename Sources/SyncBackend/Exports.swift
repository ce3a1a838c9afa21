// A plugin is written against this module alone: the values of its configuration, the logger and the HTTP
// types that it meets in the contract come with it.
@_exported import ConfigTree
@_exported import Logging
@_exported import SyncHTTP
