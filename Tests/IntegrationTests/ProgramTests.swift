import Testing

/// Everything that runs the program. One test after the other: several large uploads at once would fill a small
/// machine, and a program that is starved of time shows nothing.
@Suite("The program", .serialized, .timeLimit(.minutes(10)))
enum ProgramTests {}
