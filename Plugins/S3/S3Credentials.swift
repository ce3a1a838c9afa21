import SyncBackend

/// An access key, and what proves that it is ours.
package struct S3Credentials: Sendable, Hashable {
  package var accessKeyID: String
  package var secretAccessKey: Secret
  /// Of temporary credentials; sent with each request, and signed.
  package var sessionToken: Secret?

  package init(accessKeyID: String, secretAccessKey: Secret, sessionToken: Secret? = nil) {
    self.accessKeyID = accessKeyID
    self.secretAccessKey = secretAccessKey
    self.sessionToken = sessionToken
  }

  /// From `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`.
  ///
  /// - Returns: nil unless both halves of the key are there; an empty variable counts as none.
  init?(environment: (String) -> String?) {
    func variable(_ name: String) -> String? {
      environment(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    guard let id = variable("AWS_ACCESS_KEY_ID"), let secret = variable("AWS_SECRET_ACCESS_KEY") else {
      return nil
    }
    self.init(
      accessKeyID: id, secretAccessKey: Secret(secret),
      sessionToken: variable("AWS_SESSION_TOKEN").map(Secret.init))
  }
}
