import CZlib
import Foundation

/// A gzip encoder.
enum Gzip {
    static func packed(_ bytes: [UInt8]) -> Data {
        var stream = z_stream()
        // 16 + 15: gzip, with the largest window.
        guard
            deflateInit2_(
                &stream, Z_BEST_COMPRESSION, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, zlibVersion(),
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return Data() }
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: bytes.count + 1_024)
        let capacity = UInt32(output.count)
        input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, capacity)
                deflate(&stream, Z_FINISH)
            }
        }
        return Data(output.prefix(Int(stream.total_out)))
    }
}
