import S3
import SyncBackend
import Testing

@Suite("S3 signing keys")
struct SigningKeysTests {
  private func signature(
    _ keys: SigningKeys, secret: String = "one", region: String = "eu-central-1", days: Int64 = 0
  ) -> String {
    SignatureV4(
      credentials: S3Credentials(accessKeyID: "A", secretAccessKey: Secret(secret)), region: region,
      moment: 1_716_538_215_000_000_000 + days * 86_400_000_000_000, keys: keys
    )
    .sign(
      .get, HTTPTarget(scheme: "http", authority: "a", path: "/"), headers: [:], payload: .unsigned
    )
    .signature
  }

  @Test("A key that was kept signs for its own day, region and secret only")
  func scopes() {
    let kept = SigningKeys()
    let first = signature(kept)
    #expect(signature(kept, secret: "two") == signature(SigningKeys(), secret: "two"))
    #expect(signature(kept, region: "eu-west-1") == signature(SigningKeys(), region: "eu-west-1"))
    #expect(signature(kept, days: 1) == signature(SigningKeys(), days: 1))
    #expect(signature(kept) == first)
    #expect(signature(kept) == first)
  }
}
