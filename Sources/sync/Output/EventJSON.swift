import Digests
import SyncKit

/// Events as JSON objects, as `docs/events.schema.json` describes them.
extension Event {
  /// - Parameter time: ISO 8601, UTC.
  func json(at time: String) -> JSONValue {
    let (name, members) = nameAndMembers
    return .object([("event", .text(name)), ("time", .text(time))] + members)
  }

  private var nameAndMembers: (String, [(String, JSONValue)]) {
    switch self {
    case .runStarted(let run): ("run_started", run.members)
    case .planned(let planned): ("planned", planned.members)
    case .uploadStarted(let upload): ("upload_started", upload.members)
    case .partUploaded(let part): ("part_uploaded", part.members)
    case .uploadFinished(let upload): ("upload_finished", upload.members)
    case .deleted(let deleted): ("deleted", name(deleted.path, deleted.key))
    case .retry(let retried): ("retry", retried.members)
    case .failed(let failure): ("failed", failure.members)
    case .progress(let progress): ("progress", progress.members)
    case .runFinished(let summary): ("run_finished", summary.members)
    }
  }
}

/// A path that is not UTF-8 is written escaped, with its bytes beside it.
private func name(_ path: [UInt8], _ key: [UInt8]) -> [(String, JSONValue)] {
  if let text = String(validating: path, as: UTF8.self) {
    return [("path", .text(text)), ("key", .text(String(decoding: key, as: UTF8.self)))]
  }
  return [
    ("path", .text(printable(path))), ("path_base64", .text(base64Text(path))),
    ("key", .text(printable(key))),
  ]
}

extension RunStarted {
  fileprivate var members: [(String, JSONValue)] {
    [("profile", .text(profile)), ("remote", .text(remote)), ("dry_run", .boolean(isDryRun))]
  }
}

extension PlannedAction {
  fileprivate var members: [(String, JSONValue)] {
    [("action", .text(action.rawValue))] + name(path, key) + [
      ("size", .number(size)), ("reason", .text(reason)),
    ]
  }
}

extension UploadStarted {
  fileprivate var members: [(String, JSONValue)] {
    name(path, key) + [
      ("size", .number(size)), ("parts", .number(Int64(parts))),
      ("resumed_parts", .number(Int64(resumedParts))),
    ]
  }
}

extension PartUploaded {
  fileprivate var members: [(String, JSONValue)] {
    name(path, key) + [
      ("part", .number(Int64(number))), ("parts", .number(Int64(parts))), ("size", .number(size)),
    ]
  }
}

extension UploadFinished {
  fileprivate var members: [(String, JSONValue)] {
    name(path, key) + [("size", .number(size))] + digestMembers + [
      ("etag", etag.map(JSONValue.text) ?? .null), ("version", version.map(JSONValue.text) ?? .null),
      ("url", url.map(JSONValue.text) ?? .null), ("seconds", .decimal(seconds)),
      ("resumed_parts", .number(Int64(resumedParts))),
    ]
  }

  private var digestMembers: [(String, JSONValue)] {
    switch digest {
    case .md5(let value):
      [
        ("digest", .object([("kind", .text("md5")), ("value", .text(hexText(value)))])),
        ("md5", .text(hexText(value))),
      ]
    case .md5OfParts(let value, let partSize):
      [
        (
          "digest",
          .object([
            ("kind", .text("md5_of_parts")), ("value", .text(hexText(value))),
            ("part_size", .number(partSize)),
          ])
        )
      ]
    }
  }
}

extension Retried {
  fileprivate var members: [(String, JSONValue)] {
    [
      ("operation", .text(operation)), ("key", .text(printable(key))), ("attempt", .number(Int64(attempt))),
      ("delay", .decimal(delay / .seconds(1))), ("code", .text(error.kind.rawValue)),
      ("message", .text("\(error)")),
    ]
  }
}

extension Failure {
  fileprivate var members: [(String, JSONValue)] {
    name(path, key) + [
      ("code", .text(code)), ("message", .text(message)), ("retryable", .boolean(isRetryable)),
    ]
  }
}

extension Progress {
  fileprivate var members: [(String, JSONValue)] {
    [
      ("files", .number(files)), ("total_files", .number(totalFiles)), ("bytes", .number(bytes)),
      ("total_bytes", .number(totalBytes)), ("seconds", .decimal(seconds)),
    ]
  }
}

extension RunSummary {
  fileprivate var members: [(String, JSONValue)] {
    [
      ("profile", .text(profile)), ("remote", .text(remote)), ("dry_run", .boolean(isDryRun)),
      ("status", .number(Int64(status))), ("uploaded", .number(uploaded)), ("deleted", .number(deleted)),
      ("touched", .number(touched)), ("unchanged", .number(unchanged)), ("kept", .number(kept)),
      ("failed", .number(failed)), ("excluded", .number(hidden.excluded)),
      ("skipped_symlinks", .number(hidden.symlinks)), ("special_files", .number(hidden.specialFiles)),
      ("bytes", .number(uploadedBytes)), ("resumed_parts", .number(resumedParts)),
      ("seconds", .decimal(seconds)), ("requests", .number(Int64(requests))),
      (
        "remote_requests",
        .object(remoteRequests.sorted { $0.key < $1.key }.map { ($0.key, .number(Int64($0.value))) })
      ),
    ]
  }
}
