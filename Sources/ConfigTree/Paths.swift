/// An absolute path without `.`, `..`, empty segments and a trailing slash, by its text alone: no link is followed.
public func tidyPath(_ path: String) -> String {
  var segments: [ArraySlice<UInt8>] = []
  for segment in Array(path.utf8).split(separator: UInt8(ascii: "/")) {
    switch Array(segment) {
    case Array(".".utf8): continue
    case Array("..".utf8): _ = segments.popLast()
    default: segments.append(segment)
    }
  }
  return "/" + String(decoding: Array(segments.joined(separator: "/".utf8)), as: UTF8.self)
}

/// Whether one tidied path is the other or lies below it.
public func isPath(_ path: String, within folder: String) -> Bool {
  let path = Array(path.utf8)
  let folder = Array(folder.utf8)
  return path == folder || folder == Array("/".utf8)
    || path.starts(with: folder + [UInt8(ascii: "/")])
}
