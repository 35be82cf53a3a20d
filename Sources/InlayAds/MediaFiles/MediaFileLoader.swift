import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// A loader of the media file of a video ad: the best of its files that can be downloaded.
///
/// Requests pass the session's gate and carry no token. A cancelled load ends its download at once.
struct MediaFileLoader: Sendable {
    /// The maximum time for one file.
    static let fileTimeout = Duration.seconds(15)
    /// The maximum time for all files of an ad, including the wait for memory.
    static let totalTimeout = Duration.seconds(30)
    /// The maximum number of files that are tried for one ad.
    private static let maximumFiles = 4

    let transport: any Transport
    let clock: any SessionClock
    let memory: MediaFileMemory
    /// The hosts that may be requested without TLS.
    let cleartextHosts: Set<String>

    /// Downloads the media file of a video. When no file can be downloaded, throws the error of the best file.
    func mediaFile(of video: AdVideo) async throws(MediaFileError) -> MediaFile {
        let files = ([video.media] + video.alternatives).prefix(Self.maximumFiles)
        let mediaFile = await clock.within(Self.totalTimeout) { await first(of: Array(files)) }
        return try (mediaFile ?? .failure(.timedOut)).get()
    }

    private func first(of files: [AdVideo.Media]) async -> Result<MediaFile, MediaFileError> {
        guard let reservation = await memory.reserve() else { return .failure(.timedOut) }
        var reason: MediaFileError?
        for file in files where !Task.isCancelled {
            do throws(MediaFileError) {
                let data = try await data(of: file, atMost: reservation.bytes)
                guard let type = MediaFileFormat.mediaType(of: data) else { throw .unreadable }
                reservation.shrink(to: data.count)
                return .success(MediaFile(media: file, mediaType: type, data: data, reservation: reservation))
            } catch {
                reason = reason ?? error
            }
        }
        return .failure(reason ?? .timedOut)
    }

    private func data(of media: AdVideo.Media, atMost bytes: Int) async throws(MediaFileError) -> Data {
        guard bytes > 0 else { throw .tooLarge }
        guard let url = WebAddress.secureURL(media.address, cleartextHosts: cleartextHosts) else {
            throw .missing("not an https address")
        }
        let request = TransportRequest(url: url, timeout: Self.fileTimeout, maximumResponseBytes: bytes)
        let file = await self.clock.within(Self.fileTimeout) { await self.answer(request) }
        return try (file ?? .failure(.timedOut)).get()
    }

    private func answer(_ request: TransportRequest) async -> Result<Data, MediaFileError> {
        do throws(TransportError) {
            let answer = try await transport.send(request)
            guard answer.status == 200 else { return .failure(.missing("status \(answer.status)")) }
            // Not every transport enforces the maximum itself.
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
    /// Returns the result of the work, or cancels the work at the limit and returns `nil`.
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

/// The formats of video files. They distinguish a file from other responses, such as the log-in page of a network.
enum MediaFileFormat {
    /// Returns the media type by the first bytes; `nil` for a container that no web view plays, and for other data.
    static func mediaType(of data: Data) -> String? {
        if data.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "video/webm" }
        if data.starts(with: Array("OggS".utf8)) { return "video/ogg" }
        // An MP4 box begins with a length of four bytes; its name follows.
        let name = String(decoding: data.dropFirst(4).prefix(4), as: UTF8.self)
        return boxes.contains(name) ? "video/mp4" : nil
    }

    /// The boxes that MP4 and its relatives may begin with.
    private static let boxes: Set = ["ftyp", "styp", "moov", "mdat", "free", "skip", "wide", "pnot"]
}
