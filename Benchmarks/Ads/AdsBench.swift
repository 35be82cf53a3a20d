import Foundation
import InlayWire

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// How long a VAST document of 3 KB takes to be parsed and checked, beside Foundation's parser alone over the same
/// bytes, which builds nothing and checks nothing.
///
/// Both are measured in turns, so that other work on the machine slows them alike; the figure is the median of the
/// turns. Prints one JSON object of numbers; `Scripts/bench` makes rows of it.
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

    /// The mean of 100 in a row.
    private static func micros(_ work: () -> Bool?) -> Double {
        let start = ContinuousClock.now
        var good = 0
        for _ in 0..<100 where work() == true { good += 1 }
        return (ContinuousClock.now - start) / .microseconds(max(good, 1))
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
