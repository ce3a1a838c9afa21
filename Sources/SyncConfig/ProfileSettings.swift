import ConfigTree

/// The keys of a profile, which are those of `defaults` too. Nothing is required of one layer alone.
struct ProfileSettings {
  var remote: String?
  var directories: [Directory]
  var exclude: [String]
  var include: [String]
  var delete: Bool
  var maxDelete: DeleteLimit
  var symlinks: SymlinkPolicy
  var require: Requirements
  var transfer: TransferOverrides

  init(from section: ConfigSection, remotes: [String], isPattern: @escaping (String) -> Bool) {
    let remoteName = remotes.isEmpty ? ConfigType<String>.name : .oneOf(remotes)
    remote = section.value("remote", remoteName, "the name of a remote under remotes")
    directories = Self.directories(in: section)
    exclude = section.list("exclude", .pattern(isPattern), "gitignore patterns of what is left out") ?? []
    include =
      section.list(
        "include", .pattern(isPattern), "gitignore patterns; with any, only what matches one is mirrored")
      ?? []
    delete = section.value(
      "delete", .boolean, "whether what is gone here is deleted there", default: false)
    maxDelete = section.value(
      "max_delete", .deleteLimit, "how much a run may delete, in files or percent",
      default: .percent(10))
    symlinks = section.value("symlinks", .choice, "what to do with symbolic links", default: .skip)
    require =
      section.section("require", "what must be true of the source before anything is done")
      .map(Requirements.init) ?? Requirements()
    Self.readBusyFiles(in: section)
    transfer =
      section.section("transfer", "how to transfer").map(TransferOverrides.init)
      ?? TransferOverrides()
    section.unsupported("budget", "a plan beyond it is refused before it starts")
    section.unsupported("notify", "what is told after each run")
  }

  private static func directories(in section: ConfigSection) -> [Directory] {
    var directories: [Directory] = []
    for item in section.sections("directories", "the source directories") {
      let path = item.required("path", .path, "the source directory")
      let prefix = item.value("prefix", .keyPrefix, "put before the keys of its files", default: "")
      item.finish()
      guard let path else { continue }
      let directory = Directory(path: path, prefix: prefix, location: item.location)
      if let earlier = directories.first(where: { $0.isSameMapping(as: directory) }) {
        let place = "\(earlier.location.line):\(earlier.location.column)"
        item.report("\(item.path) is listed twice: it is the same as at \(place)")
      }
      directories.append(directory)
    }
    return directories
  }

  private static func readBusyFiles(in section: ConfigSection) {
    // The contract has three words; this version knows the first.
    var type = ConfigType<String>.oneOf(["retry", "defer", "fail"])
    type.schema = ["const": "\"retry\""]
    let help = "what to do with a file that changes while it is read"
    let choice = section.value("busy_files", type, help, default: "retry")
    guard choice != "retry" else { return }
    section.report(
      "\(section.fullName("busy_files")): \(choice) is not supported by this version, only retry",
      at: "busy_files", kind: .unsupported)
  }
}

extension Requirements {
  init(from section: ConfigSection) {
    sentinel = section.value(
      "sentinel", .relativePath, "a file that exists in every source directory")
    notEmpty = section.value(
      "not_empty", .boolean, "whether an empty source directory is refused", default: true)
    section.unsupported(
      "same_filesystem", "whether the source must stay on the filesystem it was on")
    section.finish()
  }
}

extension ConfigType where Value == DeleteLimit {
  static var deleteLimit: Self {
    let number = "{\"type\": \"integer\", \"minimum\": 0}"
    let text = "{\"type\": \"string\", \"pattern\": \"^[0-9]+$|^[0-9]+([.][0-9]+)?%$\"}"
    let expectation = "a number of files or a percentage up to 100%"
    return ConfigType(expectation, schema: ["anyOf": "[\(number), \(text)]"]) { text, _ in
      DeleteLimit(text)
    }
  }
}

extension ConfigType where Value == String {
  static func pattern(_ canMatch: @escaping (String) -> Bool) -> Self {
    ConfigType("a gitignore pattern that can match a name (write \\[ \\# \\\\ for [ # \\ themselves)") {
      text, _ in
      !text.isEmpty && canMatch(text) ? text : nil
    }
  }

  /// A byte prefix of keys that is a folder: empty, or segments that each end in `/`.
  static var keyPrefix: Self {
    let schema = ["type": "\"string\"", "pattern": "\"^([^/].*/)?$\""]
    let expectation = "empty, or end in / and have no empty, . or .. segment"
    return ConfigType(expectation, schema: schema) { text, _ in
      guard !text.isEmpty else { return text }
      let segments = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      guard let last = segments.last, last.isEmpty else { return nil }
      return segments.dropLast().allSatisfy(isPlainSegment) ? text : nil
    }
  }

  /// A path below a folder, without a way out of it.
  static var relativePath: Self {
    ConfigType("a path below the source directory, without empty, . or .. segments") { text, _ in
      let segments = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      return segments.allSatisfy(isPlainSegment) && !text.utf8.contains(0) ? text : nil
    }
  }

  private static func isPlainSegment(_ segment: Substring.UTF8View) -> Bool {
    !segment.isEmpty && !segment.elementsEqual(".".utf8) && !segment.elementsEqual("..".utf8)
  }
}
