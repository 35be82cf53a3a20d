package import Foundation
import InlayCore

#if os(iOS)
    public import UIKit
#elseif os(macOS)
    public import AppKit
#endif

/// An opener of links in the system's default browser.
package struct SystemAdLinks: AdLinkOpener {
    /// Creates the opener.
    package init() {}

    package func open(_ address: URL) async -> Bool {
        #if os(iOS)
            await UIApplication.shared.open(address)
        #elseif os(macOS)
            await MainActor.run { NSWorkspace.shared.open(address) }
        #else
            await Self.desktop(address)
        #endif
    }

    #if !os(iOS) && !os(macOS)
        // On a desktop, the command `xdg-open` starts the default browser; a kiosk has no such command.
        private static func desktop(_ address: URL) async -> Bool {
            let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
            let places = folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent("xdg-open") }
            guard
                let command = places.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) })
            else { return false }
            return await withCheckedContinuation { done in
                let process = Process()
                process.executableURL = command
                process.arguments = [address.absoluteString]
                process.terminationHandler = { done.resume(returning: $0.terminationStatus == 0) }
                do { try process.run() } catch { done.resume(returning: false) }
            }
        }
    #endif
}
