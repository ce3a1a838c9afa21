import SyncBackend

extension CancellationFlag {
  /// Asked between two buffers.
  func check() throws(BackendError) {
    if isRaised { throw BackendError(.cancelled, "cancelled") }
  }
}
