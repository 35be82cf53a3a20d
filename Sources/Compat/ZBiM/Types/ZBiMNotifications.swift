public import Foundation

extension Notification.Name {
    /// A download progressed; `userInfo` has `progress`, from 0 to 100.
    public static let ZBiMDBDownloadProgressChanged = Notification.Name("ZBiMDBDownloadProgressChanged")
    /// `ZBiM.isDownloadingContent()` changed.
    public static let ZBiMDownloadingContentStateChanged = Notification.Name(
        "ZBiMDownloadingContentStateChanged")
    /// `ZBiM.isDisplayingContentHub()` changed.
    public static let ZBiMDisplayingContentHubStateChanged = Notification.Name(
        "ZBiMDisplayingContentHubStateChanged")
    /// `ZBiM.isReady()` changed.
    public static let ZBiMReadyStateChanged = Notification.Name("ZBiMReadyStateChanged")
    /// `ZBiM.isDisabled()` changed.
    public static let ZBiMDisabledStateChanged = Notification.Name("ZBiMDisabledStateChanged")
    /// The hub shows another piece of content; `userInfo` has its type, URL and title.
    public static let ZBiMContentTypeChanged = Notification.Name("ZBiMContentTypeChanged")
}

/// The `userInfo` key of the content's title.
public let ZBiMResourceTitle = "ZBiMResourceTitle"
/// The `userInfo` key of the content's URL, which `ZBiM.presentHub(withUri:completion:)` accepts.
public let ZBiMResourceURL = "ZBiMResourceURL"
/// The `userInfo` key of the content's type.
public let ZBiMResourceType = "ZBiMResourceType"
/// The content type of a hub page.
public let ZBiMResourceTypeHub = "hub"
/// The content type of a channel page.
public let ZBiMResourceTypeChannel = "channel"
/// The content type of an article page.
public let ZBiMResourceTypeArticle = "article"
