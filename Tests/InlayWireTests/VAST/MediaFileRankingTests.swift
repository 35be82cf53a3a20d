@_spi(Inlay) import InlayWire
import Testing

@Suite struct MediaFileRankingTests {
    private func file(
        _ name: String, _ type: String = "video/mp4", _ width: Int = 640, _ height: Int = 360,
        rate: Int? = nil,
        framework: String? = nil
    ) -> VASTMediaFile {
        VASTMediaFile(
            address: name, type: type, width: width, height: height, bitrate: rate, apiFramework: framework)
    }

    private func order(_ ranking: MediaFileRanking, _ files: VASTMediaFile...) -> [String] {
        ranking.ranked(files).map(\.address)
    }

    @Test func `only types that the player plays are chosen, never programs`() {
        let ranking = MediaFileRanking(types: ["video/webm", "video/mp4"])
        #expect(
            order(
                ranking, file("mp4"), file("flv", "video/x-flv"), file("vpaid", framework: "VPAID"),
                file("webm", "video/webm"), file("codecs", "video/mp4;codecs=avc1"),
                file("space", "video/mp4 ; codecs=avc1"))
                == ["webm", "mp4", "codecs", "space"])
        #expect(order(ranking, file("flv", "video/x-flv")).isEmpty)
    }

    @Test func `the size nearest to the player's is chosen, preferably a larger one`() {
        let ranking = MediaFileRanking(width: 1280, height: 720)
        #expect(
            order(
                ranking, file("360", "video/mp4", 640, 360), file("1080", "video/mp4", 1920, 1080),
                file("720", "video/mp4", 1280, 720), file("540", "video/mp4", 960, 540)) == [
                    "720", "1080", "540", "360",
                ])
    }

    @Test func `a file over the connection's bit rate comes last`() {
        let ranking = MediaFileRanking(width: 1280, height: 720, bitrate: 1000)
        #expect(
            order(
                ranking, file("fast", "video/mp4", 1280, 720, rate: 4000),
                file("mid", "video/mp4", 1280, 720, rate: 1500), file("ok", "video/mp4", 640, 360, rate: 900))
                == ["ok", "mid", "fast"])
    }

    @Test func `of equal files the higher rate wins, then the document's order`() {
        #expect(
            order(MediaFileRanking(), file("a", rate: 500), file("b", rate: 900), file("c", rate: 900))
                == ["b", "c", "a"])
    }
}
