import ArgumentParser
import SyncKit

struct BackendsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backends", abstract: "List the kinds of backends, with what they can do.")

  @OptionGroup var common: CommonOptions

  @Flag(help: "One JSON object per backend.")
  var json = false

  func run() async throws {
    for plugin in Backends.builtIn {
      Console.output.line(json ? self.json(plugin).encoded : text(plugin))
    }
  }

  private func text(_ plugin: BackendPlugin) -> String {
    let style = common.style(for: .output)
    let facts = facts(plugin.typicalCapabilities)
    let width = (facts.map(\.name.count).max() ?? 0) + 2
    let lines = facts.map {
      "    \($0.name)" + String(repeating: " ", count: width - $0.name.count) + $0.text
    }
    return ([style.bold(plugin.kind) + "  built in  \(plugin.summary)"] + lines).joined(separator: "\n")
  }

  private func facts(_ can: Capabilities) -> [(name: String, text: String)] {
    var facts = [
      (
        "operations",
        Capabilities.Operation.allCases.filter(can.operations.contains).map(\.rawValue).joined(separator: " ")
      ),
      ("one put", Units.limit(can.maximumPutSize)),
      ("objects", Units.limit(can.maximumObjectSize)),
      ("keys", "up to \(can.keys.maximumBytes) bytes"),
    ]
    if let parts = can.parts {
      let concurrency = parts.concurrency.map { ", \($0) at once" } ?? ""
      facts.append(
        (
          "parts",
          "from \(Units.bytes(parts.minimumSize)), \(Units.limit(parts.maximumSize)), \(parts.maximumCount) at most, "
            + "order \(parts.order.rawValue)\(concurrency)"
        ))
    }
    facts += [
      ("listing", can.listOrder == .bytes ? "in key order" : "in no order"),
      ("names", can.isHierarchical ? "paths: a file and a folder can't share one" : "flat"),
      ("metadata", can.storesMetadata ? "stored" : "not stored"),
      ("server-side copy", can.copies ? "yes" : "no"),
    ]
    return facts
  }

  private func json(_ plugin: BackendPlugin) -> JSONValue {
    let can = plugin.typicalCapabilities
    let operations = Capabilities.Operation.allCases.filter(can.operations.contains)
    return .object([
      ("backend", .text(plugin.kind)), ("built_in", .boolean(true)), ("summary", .text(plugin.summary)),
      ("operations", .list(operations.map { .text($0.rawValue) })),
      ("maximum_put_size", .number(can.maximumPutSize)),
      ("maximum_object_size", .number(can.maximumObjectSize)),
      ("maximum_key_bytes", .number(Int64(can.keys.maximumBytes))), ("parts", json(can.parts)),
      ("delete_batch", .number(Int64(can.deleteBatch.maximumCount))),
      ("list_order", .text(can.listOrder.rawValue)), ("hierarchical", .boolean(can.isHierarchical)),
      ("metadata", .boolean(can.storesMetadata)), ("copies", .boolean(can.copies)),
    ])
  }

  private func json(_ parts: Capabilities.Parts?) -> JSONValue {
    guard let parts else { return .null }
    return .object([
      ("minimum_size", .number(parts.minimumSize)), ("maximum_size", .number(parts.maximumSize)),
      ("maximum_count", .number(Int64(parts.maximumCount))), ("order", .text(parts.order.rawValue)),
      ("concurrency", parts.concurrency.map { .number(Int64($0)) } ?? .null),
    ])
  }
}
