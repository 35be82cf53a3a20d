/// A check for names that Windows does not allow for a file or a folder.
///
/// Authors copy folders between machines, and devices unpack articles into folders with their ids.
enum WindowsName {
    /// Returns the reason why no file on Windows can have this name; `nil` when one can.
    static func fault(_ name: some StringProtocol) -> String? {
        if name.hasSuffix(".") || name.hasSuffix(" ") {
            return "Windows cannot name a file '\(name)': it ends in a dot or a space."
        }
        // A device's name is reserved with every extension, also with spaces before the dot.
        let base = name.prefix { $0 != "." }.lowercased()
        let device = base.prefix { $0 != " " }
        guard devices.contains(String(device)), base.dropFirst(device.count).allSatisfy({ $0 == " " }) else {
            return nil
        }
        return "Windows cannot name a file '\(name)': \(device) is a device."
    }

    /// Returns the first fault among the parts of a path.
    static func fault(inPath path: String) -> String? {
        path.split(separator: "/").lazy.compactMap { fault($0) }.first
    }

    private static let devices: Set<String> = {
        let numbers = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"]
        let numbered = numbers.flatMap { number in ["com" + number, "lpt" + number] }
        return Set(["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"] + numbered)
    }()
}
