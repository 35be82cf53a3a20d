import Dispatch
import Foundation

/// Calls `work` for each number on all cores and returns the results in the order of the numbers.
func onAllCores<Result: Sendable>(
    _ numbers: Range<Int>, _ work: @Sendable (Int) -> Result
) -> [Result] {
    let results = Results<Result>(count: numbers.count)
    DispatchQueue.concurrentPerform(iterations: numbers.count) { index in
        results.set(index, work(numbers.lowerBound + index))
    }
    return results.all
}

/// Results that several threads set, guarded by a lock.
private final class Results<Result: Sendable>: @unchecked Sendable {
    // Unchecked: `results` is used only while `lock` is held.
    private let lock = NSLock()
    private var results: [Result?]

    init(count: Int) { results = Array(repeating: nil, count: count) }

    func set(_ index: Int, _ result: Result) { lock.withLock { results[index] = result } }

    var all: [Result] { lock.withLock { results.compactMap { $0 } } }
}
