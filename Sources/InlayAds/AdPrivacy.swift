package import Foundation

/// The privacy manifest that ships with this module.
package enum AdPrivacy {
    /// The address of the manifest, which Xcode merges into the app's privacy report by itself.
    package static var manifest: URL? {
        Bundle.module.url(forResource: "PrivacyInfo", withExtension: "xcprivacy")
    }
}
