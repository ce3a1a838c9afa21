/// The candidate that a mistyped name most likely means; nil where none is near.
public func nearestName(to name: String, among candidates: [String]) -> String? {
  let near = candidates.map { (candidate: $0, distance: editDistance(name, $0)) }
    .filter { $0.distance <= max(1, min(name.count, $0.candidate.count) / 2) }
  return near.min { ($0.distance, $0.candidate) < ($1.distance, $1.candidate) }?.candidate
}

/// Insertions, deletions and replacements that turn one name into the other; letter case does not count.
private func editDistance(_ left: String, _ right: String) -> Int {
  let left = Array(left.lowercased())
  let right = Array(right.lowercased())
  var previous = Array(0...right.count)
  for (row, character) in left.enumerated() {
    var current = [row + 1]
    for (column, other) in right.enumerated() {
      let replaced = previous[column] + (character == other ? 0 : 1)
      current.append(min(replaced, previous[column + 1] + 1, current[column] + 1))
    }
    previous = current
  }
  return previous[right.count]
}
