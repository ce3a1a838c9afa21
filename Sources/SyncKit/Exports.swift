// Who runs profiles from a program needs the configuration, the events and the contract, and imports this module.
@_exported import SyncBackend
@_exported import SyncConfig
@_exported import SyncEngine
@_exported import SyncManifest
