import Testing

@testable import SyncEngine

@Suite("A name that its directory lists twice")
struct RepeatedNameTests {
  private func table(_ names: [String]) -> EntryTable {
    var table = EntryTable()
    for name in names {
      Array(name.utf8).withUnsafeBufferPointer { table.append(Entry(.file), $0) }
    }
    table.sort()
    return table
  }

  @Test("counts once in memory, however long it is and whatever begins like it")
  func inMemory() {
    let table = table(["b", "long-name-2", "b", "long-name-1", "ba", "long-name-2", "b\u{0}"])
    let names = table.entries.map { String(decoding: table.name($0), as: UTF8.self) }
    #expect(names == ["b", "b\u{0}", "ba", "long-name-1", "long-name-2"])
  }

  @Test("counts once on disk, where its two entries are in different runs")
  func onDisk() throws {
    var runs = try SortedRuns(in: "/tmp")
    for names in [["a", "c", "e"], ["c", "d"], ["c", "e", "f"]] { try runs.append(table(names)) }
    var merge = try runs.merged()
    var names: [String] = []
    var name: [UInt8] = []
    while try merge.next(appendingNameTo: &name) != nil {
      names.append(String(decoding: name, as: UTF8.self))
      name = []
    }
    #expect(names == ["a", "c", "d", "e", "f"])
  }
}
