import Foundation

/// The known answers in Tests/Vectors, by their file names.
public enum VectorFiles {
  public static var folder: String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Vectors").path
  }

  public static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
  }

  public static func decode<Value: Decodable>(_ type: Value.Type, from name: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(try bytes(name)))
  }
}
