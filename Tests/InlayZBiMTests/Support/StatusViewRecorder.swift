import Foundation
import InlayZBiM

/// A delegate that returns status views and records which of them the hub requested.
final class StatusViewRecorder: ZBiMContentHubStatusUIDelegate {
    private(set) var requested: [String] = []

    func getErrorView(_ optionalMessage: String?) -> UIView? { view("error") }

    func getCheckingForContentView(_ optionalMessage: String?) -> UIView? { view("checking") }

    func getDownloadProgressView(_ optionalMessage: String?, percentCompleted: CGFloat) -> UIView? {
        view("downloading")
    }

    private func view(_ name: String) -> UIView {
        requested.append(name)
        return UIView()
    }
}
