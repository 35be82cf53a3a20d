import CZlib
import NIOCore

/// A gzip decoder with a limit on the size of the content. A body is one member and nothing after it.
enum Gunzip {
    enum Failure: Error { case tooLarge, damaged }

    /// Returns the whole content, or the reason for the failure; holds at most one byte more than the limit.
    static func unpack(_ body: ByteBuffer, limit: Int) -> Result<ByteBuffer, Failure> {
        var stream = z_stream()
        // 16 + 15: gzip and nothing else, with the largest window.
        guard
            inflateInit2_(&stream, 31, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return .failure(.damaged) }
        defer { inflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: min(limit + 1, max(4_096, body.readableBytes * 8)))
        var input = Array(body.readableBytesView)
        return input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            while true {
                let written = Int(stream.total_out)
                if written == output.count {
                    guard output.count <= limit else { return .failure(.tooLarge) }
                    output += [UInt8](repeating: 0, count: min(output.count, limit + 1 - output.count))
                }
                let status = output.withUnsafeMutableBufferPointer { output in
                    stream.next_out = output.baseAddress?.advanced(by: written)
                    stream.avail_out = UInt32(output.count - written)
                    return inflate(&stream, Z_NO_FLUSH)
                }
                guard Int(stream.total_out) <= limit else { return .failure(.tooLarge) }
                if status == Z_STREAM_END {
                    // A second member would be lost in silence.
                    guard stream.avail_in == 0 else { return .failure(.damaged) }
                    return .success(ByteBuffer(bytes: output.prefix(Int(stream.total_out))))
                }
                guard status == Z_OK, stream.avail_in > 0 || stream.avail_out == 0 else {
                    return .failure(.damaged)
                }
            }
        }
    }
}
