/// The program's version, as `--version` prints it and requests carry it.
public enum Version {
  public static let current = "0.1.0"
}
