import Glibc

/// What must be true before anything is done: an unmounted disk looks like an empty one.
struct Guards: Sendable {
  let job: MirrorJob

  /// Checked before a directory is scanned.
  func checkSource(_ directory: MirrorDirectory) throws(MirrorError) {
    guard let sentinel = job.sentinel, !job.isForced else { return }
    let path = directory.source + "/" + sentinel
    guard access(path, F_OK) != 0 else { return }
    throw .refused(
      "\(directory.source): the sentinel file \(sentinel) is not in it, so this may be the wrong or an unmounted "
        + "disk; nothing was done. Mount it or create the file, or go on with --force")
  }

  /// Checked after a directory was scanned.
  func check(_ directory: MirrorDirectory, entriesSeen: Int64) throws(MirrorError) {
    guard entriesSeen == 0, job.refusesEmptySource, !job.isForced else { return }
    throw .refused(
      "\(directory.source) is empty, as an unmounted disk is; nothing was done. If it is meant to be, set "
        + "require: {not_empty: false} or go on with --force")
  }

  /// Checked when the plan is complete.
  func check(_ totals: PlanTotals) throws(MirrorError) {
    guard !job.isForced, !job.deleteLimit.allows(totals.deletions, of: totals.mirrored) else { return }
    throw .refused(
      "\(totals.deletions) of \(totals.mirrored) mirrored files would be deleted, more than max_delete allows "
        + "(\(job.deleteLimit)); nothing was done. Look at the plan; if it is right, go on with "
        + "--max-delete \(totals.deletions) or --force")
  }
}

extension DeleteLimit: CustomStringConvertible {
  public var description: String {
    switch self {
    case .count(let limit): "\(limit)"
    case .percent(let percent):
      percent == percent.rounded() ? "\(Int64(percent))%" : "\(percent)%"
    }
  }
}
