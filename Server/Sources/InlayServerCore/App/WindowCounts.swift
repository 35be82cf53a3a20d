@_spi(Inlay) package import InlayWire

/// Counts by name within periods of one length, in bounded memory.
///
/// A name's period begins with its first count and ends after the length; the next count begins another one.
package struct WindowCounts<Name: Hashable & Sendable>: Sendable {
    private struct Window {
        var count = 0
        let began: Timestamp
    }

    /// The length of a period.
    let length: Duration
    /// At most so many names are remembered.
    let maximumNames: Int
    private var windows: [Name: Window] = [:]

    package init(length: Duration, maximumNames: Int) {
        self.length = length
        self.maximumNames = maximumNames
    }

    /// The count of the name's period at a moment; 0 when none is under way.
    package func count(of name: Name, at moment: Timestamp) -> Int {
        guard let window = windows[name], moment - window.began < length else { return 0 }
        return window.count
    }

    /// Counts one more, and returns the count with it.
    @discardableResult
    package mutating func add(_ name: Name, at moment: Timestamp) -> Int {
        if windows.count >= maximumNames { makeRoom(moment) }
        var window = windows[name] ?? Window(began: moment)
        if moment - window.began >= length { window = Window(began: moment) }
        window.count += 1
        windows[name] = window
        return window.count
    }

    /// Takes one count back; nothing happens where there is none.
    mutating func takeBack(_ name: Name) {
        guard let window = windows[name], window.count > 0 else { return }
        windows[name]?.count -= 1
    }

    /// Returns the rest of the name's period from a moment on.
    package func remaining(of name: Name, at moment: Timestamp) -> Duration {
        guard let window = windows[name] else { return .zero }
        return max(.zero, length - (moment - window.began))
    }

    /// Forgets what has ended and, while more than half is left, those who came least: a flood of names costs the
    /// server no memory, and clears nobody's count that is at least twice what the flood has for each name.
    ///
    /// Half, so that the next names find room for long and not each of them pays for a look at all others.
    private mutating func makeRoom(_ moment: Timestamp) {
        windows = windows.filter { moment - $0.value.began < length }
        var least = 1
        while windows.count > maximumNames / 2 {
            windows = windows.filter { $0.value.count > least }
            least *= 2
        }
    }
}
