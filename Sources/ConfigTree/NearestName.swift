/// The candidate that a mistyped name most likely means; nil where none is near.
public func nearestName(to name: String, among candidates: [String]) -> String? {
  let near = candidates.map { (candidate: $0, distance: editDistance(name, $0)) }
    .filter { $0.distance <= farthest(name, $0.candidate) }
  return near.min { ($0.distance, $0.candidate) < ($1.distance, $1.candidate) }?.candidate
}

/// The end of a message about an unknown name: `; did you mean photos?`, or nothing where no candidate is near.
public func didYouMean(_ name: String, among candidates: [String]) -> String {
  nearestName(to: name, among: candidates).map { "; did you mean \(oneLine($0))?" } ?? ""
}

/// A third of the longer name, but at least one letter; names that share no letter are never near.
private func farthest(_ left: String, _ right: String) -> Int {
  let longer = max(left.count, right.count)
  return min(max(1, (longer + 2) / 3), longer - 1)
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one name into the other; letter case does
/// not count. This is the optimal string alignment distance.
private func editDistance(_ left: String, _ right: String) -> Int {
  let left = Array(left.lowercased())
  let right = Array(right.lowercased())
  var beforePrevious: [Int] = []
  var previous = Array(0...right.count)
  for (row, character) in left.enumerated() {
    var current = [row + 1]
    for (column, other) in right.enumerated() {
      let replaced = previous[column] + (character == other ? 0 : 1)
      var distance = min(replaced, previous[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
        distance = min(distance, beforePrevious[column - 1] + 1)
      }
      current.append(distance)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[right.count]
}
