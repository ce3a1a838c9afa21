import CDigests

/// A way of advancing many MD5s side by side on this CPU.
package struct MD5Kernel: Sendable {
  package let name: String
  package let lanes: Int
  let blocks: cd_md5_blocks

  /// Those that this CPU can run, fastest first.
  package static var all: [MD5Kernel] { (0..<cd_md5_kernel_count()).map { MD5Kernel(cd_md5_kernel_at($0)) } }

  package static var fastest: MD5Kernel { MD5Kernel(cd_md5_kernel_at(0)) }

  private init(_ kernel: cd_md5_kernel) {
    name = String(cString: kernel.name)
    lanes = Int(kernel.lanes)
    blocks = kernel.blocks
  }
}
