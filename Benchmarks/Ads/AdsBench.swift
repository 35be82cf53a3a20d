import Foundation
@_spi(Inlay) import InlayWire

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// A benchmark of parsing and checking a VAST document of 3 KB, compared with Foundation's parser alone on the same
/// bytes, which builds no values.
///
/// The two alternate and are measured in processor time, so that other work on the machine has little influence; each
/// figure is the median. Prints a JSON object of numbers, from which `Scripts/bench` makes rows.
@main enum AdsBench {
    static func main() throws {
        let turns = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 60
        let document = BenchVAST.document
        let ads = try VASTDocument(reading: document).ads
        guard ads.first?.linear?.mediaFiles.count == 3, ads.first?.linear?.tracking.count == 9 else {
            throw Failure.unread
        }
        var own: [Double] = []
        var bare: [Double] = []
        for _ in 0..<turns {
            own.append(micros { try? VASTDocument(reading: document).ads.count == 1 })
            bare.append(micros { XMLParser(data: document).parse() })
        }
        let numbers = [
            "bytes": Double(document.count), "vastMicros": median(own), "parserMicros": median(bare),
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        FileHandle.standardOutput.write(try encoder.encode(numbers) + Data("\n".utf8))
    }

    private enum Failure: Error { case unread }

    /// Returns the mean processor time of 100 calls in microseconds.
    private static func micros(_ work: () -> Bool?) -> Double {
        let start = processorSeconds()
        var good = 0
        for _ in 0..<100 where work() == true { good += 1 }
        return (processorSeconds() - start) * 1e6 / Double(max(good, 1))
    }

    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
