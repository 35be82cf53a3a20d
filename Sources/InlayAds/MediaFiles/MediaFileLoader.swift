import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// Downloads the media file of a video ad: the best of its files that is available.
///
/// Everything goes through the session's gate, without a token; a load that is given up ends it at once.
struct MediaFileLoader: Sendable {
    /// The maximum time for one file.
    static let fileTime = Duration.seconds(15)
    /// The maximum time for all files, waiting for other ads included.
    static let time = Duration.seconds(30)
    /// The maximum number of files that are tried for one ad.
    private static let files = 4

    let transport: any Transport
    let clock: any SessionClock
    let memory: MediaFileCache
    /// Hosts that may be asked without TLS.
    let plainHosts: Set<String>

    /// The media file of a video. When no file is available, the error is that of the best file.
    func mediaFile(of video: AdVideo) async throws(MediaFileError) -> MediaFile {
        let files = ([video.media] + video.alternatives).prefix(Self.files)
        let mediaFile = await clock.within(Self.time) { await first(of: Array(files)) }
        return try (mediaFile ?? .failure(.timedOut)).get()
    }

    private func first(of files: [AdVideo.Media]) async -> Result<MediaFile, MediaFileError> {
        guard let place = await memory.place() else { return .failure(.timedOut) }
        var reason: MediaFileError?
        for file in files where !Task.isCancelled {
            do throws(MediaFileError) {
                let data = try await data(of: file, atMost: place.bytes)
                guard let type = MediaFileFormat.mediaType(of: data) else { throw .unreadable }
                place.shrink(to: data.count)
                return .success(MediaFile(media: file, mediaType: type, data: data, place: place))
            } catch {
                reason = reason ?? error
            }
        }
        return .failure(reason ?? .timedOut)
    }

    private func data(of media: AdVideo.Media, atMost bytes: Int) async throws(MediaFileError) -> Data {
        guard bytes > 0 else { throw .tooLarge }
        guard let url = WebAddress.secureURL(media.address, plainHosts: plainHosts) else {
            throw .missing("not an https address")
        }
        let request = TransportRequest(url: url, timeout: Self.fileTime, maximumResponseBytes: bytes)
        let file = await self.clock.within(Self.fileTime) { await self.answer(request) }
        return try (file ?? .failure(.timedOut)).get()
    }

    private func answer(_ request: TransportRequest) async -> Result<Data, MediaFileError> {
        do throws(TransportError) {
            let answer = try await transport.send(request)
            guard answer.status == 200 else { return .failure(.missing("status \(answer.status)")) }
            // Not every transport counts while it reads.
            guard answer.body.count <= request.maximumResponseBytes else { return .failure(.tooLarge) }
            return .success(answer.body)
        } catch {
            switch error {
            case .timedOut: return .failure(.timedOut)
            case .tooLarge: return .failure(.tooLarge)
            default: return .failure(.missing("\(error)"))
            }
        }
    }
}

extension SessionClock {
    /// The result of the work; `nil` when the time is over first, and then the work is cancelled.
    func within<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async -> Value
    ) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await work() }
            group.addTask {
                try? await sleep(for: limit)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }
}

/// Distinguishes video files from other responses, such as the log-in page of a network.
enum MediaFileFormat {
    /// The media type of the container that a file begins with; `nil` when it is none that a web view plays.
    static func mediaType(of data: Data) -> String? {
        if data.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "video/webm" }
        if data.starts(with: Array("OggS".utf8)) { return "video/ogg" }
        // A box begins with its length; its name comes after.
        let name = String(decoding: data.dropFirst(4).prefix(4), as: UTF8.self)
        return boxes.contains(name) ? "video/mp4" : nil
    }

    /// The boxes that MP4 and its relatives may begin with.
    private static let boxes: Set = ["ftyp", "styp", "moov", "mdat", "free", "skip", "wide", "pnot"]
}
