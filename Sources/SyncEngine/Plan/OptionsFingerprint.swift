import Digests
import SyncBackend

/// A fingerprint of the object options that a row was sent with. It names the rule, not the values that follow
/// from the content, so it can be compared without reading a file.
struct OptionsFingerprint: Sendable, Equatable {
  let put: [UInt8]
  let multipart: [UInt8]

  init(_ options: TransferOptions, _ capabilities: Capabilities) {
    put = MD5.hash(Array("v1".utf8))
    // Where no metadata is kept, there is none that could differ.
    multipart = options.wholeMD5 && capabilities.storesMetadata ? MD5.hash(Array("v1 md5chksum".utf8)) : put
  }
}
