import ArgumentParser
import SyncKit

/// The words after the program's name.
struct CommandWords {
  /// The names of the command and of the one below it: `config`, `check`; empty where the default one is meant.
  let command: [String]
  /// For the parser, which takes options only behind the command's name; people also write them before it.
  let ordered: [String]
  private let words: [String]

  static var current: CommandWords { CommandWords(Array(CommandLine.arguments.dropFirst())) }

  init(_ words: [String]) {
    self.words = words
    let leading = words[..<CommandWords.endOfOptions(in: words)]
    var commands = SyncCommand.configuration.subcommands
    var rest = words.dropFirst(leading.count)
    while let word = rest.first, let found = commands.first(where: { $0.isCalled(word) }) {
      commands = found.configuration.subcommands
      rest.removeFirst()
    }
    command = Array(words[leading.endIndex..<rest.startIndex])
    ordered = command + leading + rest
  }

  /// Known before anything is parsed: what is wrong with the words is logged, too.
  var logFormat: ErrorLog.Format {
    let format =
      words.contains("--log-format=json")
      || zip(words, words.dropFirst()).contains { $0 == ("--log-format", "json") }
    return format ? .json : .text
  }

  /// Behind the options that every command takes.
  private static func endOfOptions(in words: [String]) -> Int {
    var index = 0
    while index < words.count {
      switch words[index] {
      case "-q", "--quiet", "-v", "--verbose": index += 1
      case "-c", "--config", "--log-format", "--color": index = min(index + 2, words.count)
      case let word where ["--config=", "--log-format=", "--color="].contains(where: word.hasPrefix):
        index += 1
      default: return index
      }
    }
    return index
  }
}

extension ParsableCommand {
  fileprivate static func isCalled(_ word: String) -> Bool {
    configuration.commandName == word || configuration.aliases.contains(word)
  }
}
