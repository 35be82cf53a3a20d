@_spi(Inlay) import InlayWire

/// Counts by name within periods, in bounded memory.
///
/// A name's period begins with its first count; the first count after its end begins another one.
struct WindowCounts<Name: Hashable & Sendable>: Sendable {
    private struct Window {
        var count = 0
        let end: Timestamp
    }

    /// The maximum number of names in memory.
    let maximumNames: Int
    private var windows: [Name: Window] = [:]

    init(maximumNames: Int) { self.maximumNames = maximumNames }

    /// The count of the name's period at a moment; 0 when none is under way.
    func count(of name: Name, at moment: Timestamp) -> Int {
        guard let window = windows[name], moment < window.end else { return 0 }
        return window.count
    }

    /// Adds one to the name's count; begins a period of this length when none is under way.
    mutating func add(_ name: Name, for length: Duration, at moment: Timestamp) {
        if windows.count >= maximumNames { dropOldWindows(moment) }
        let current = windows[name].flatMap { moment < $0.end ? $0 : nil }
        var window = current ?? Window(end: moment + length)
        window.count += 1
        windows[name] = window
    }

    /// Subtracts one from the name's count, unless it is 0 already.
    mutating func takeBack(_ name: Name) {
        guard let window = windows[name], window.count > 0 else { return }
        windows[name]?.count -= 1
    }

    /// Returns the rest of the name's period from a moment on.
    func remaining(of name: Name, at moment: Timestamp) -> Duration {
        windows[name].map { max(.zero, $0.end - moment) } ?? .zero
    }

    /// Removes ended periods and, while more than half of the maximum is left, the names with the lowest counts: a
    /// flood of names takes no more memory, and clears no count that is at least twice as high as the flood's counts.
    ///
    /// Down to half, so that there is space for many more names, and not each of them causes a pass over all others.
    private mutating func dropOldWindows(_ moment: Timestamp) {
        windows = windows.filter { moment < $0.value.end }
        var threshold = 1
        while windows.count > maximumNames / 2 {
            windows = windows.filter { $0.value.count > threshold }
            threshold *= 2
        }
    }
}
