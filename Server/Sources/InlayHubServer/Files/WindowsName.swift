/// Names that Windows does not take for a file or a folder.
///
/// Authors copy folders between machines, and devices unpack articles into folders with their ids.
enum WindowsName {
    /// Returns the reason why no file on Windows can have this name; `nil` when one can.
    static func fault(_ name: some StringProtocol) -> String? {
        if name.hasSuffix(".") || name.hasSuffix(" ") {
            return "Windows cannot name a file '\(name)': it ends in a dot or a space."
        }
        // The device is meant whatever follows the first dot, also after spaces.
        let base = name.prefix { $0 != "." }.lowercased()
        let device = base.prefix { $0 != " " }
        guard devices.contains(String(device)), base.dropFirst(device.count).allSatisfy({ $0 == " " }) else {
            return nil
        }
        return "Windows cannot name a file '\(name)': \(device) is a device."
    }

    /// The first fault of a path's parts.
    static func fault(inPath path: String) -> String? {
        path.split(separator: "/").lazy.compactMap { fault($0) }.first
    }

    private static let devices: Set<String> = {
        let numbers = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"]
        let numbered = numbers.flatMap { number in ["com" + number, "lpt" + number] }
        return Set(["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"] + numbered)
    }()
}
