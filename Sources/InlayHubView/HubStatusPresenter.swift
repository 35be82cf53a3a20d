/// The conversion of a screen to the status that a hub shows in place of content.
struct HubStatusPresenter {
    let appearance: HubAppearance

    func status(_ body: HubScreen.Body) -> HubView.Status? {
        switch body {
        case .checking(let message):
            status("checking", message: message ?? appearance.text(.checking), isWorking: true)
        case .downloading(let fraction, let message):
            status(
                "downloading", message: message ?? appearance.text(.downloading), isWorking: true,
                progress: fraction.map(Self.progress))
        case .failed(.offline, let message):
            status(
                "offline", title: .offlineTitle, message: message ?? appearance.text(.offlineMessage),
                isOffline: true, canRetry: true)
        case .failed(.other, let message):
            status(
                "failed", title: .errorTitle, message: message ?? appearance.text(.errorMessage),
                isFailure: true,
                canRetry: true)
        case .failed(.missing, let message):
            status(
                "missing", title: .missingTitle, message: message ?? appearance.text(.missingMessage),
                isFailure: true)
        case .disabled(let reason):
            status(
                "disabled", title: .disabledTitle, message: reason ?? appearance.text(.disabledMessage),
                isQuiet: true)
        case .custom(let title, let message, let fraction, let canRetry):
            HubView.Status(
                kind: "custom", isWorking: fraction != nil, isOffline: false, isFailure: false,
                isQuiet: false,
                title: title, message: message ?? "", progress: fraction.map(Self.progress),
                retry: canRetry ? appearance.text(.tryAgain) : nil)
        case .closed:
            HubView.Status(
                kind: "closed", isWorking: false, isOffline: false, isFailure: false, isQuiet: true,
                title: nil,
                message: appearance.text(.closed), retry: appearance.text(.openAgain))
        case .empty:
            status("empty", title: .emptyTitle, message: appearance.text(.emptyMessage), isQuiet: true)
        case .hub(_, let sections) where sections.isEmpty:
            status("empty", title: .emptyTitle, message: appearance.text(.emptyMessage), isQuiet: true)
        case .hub, .channel, .document: nil
        }
    }

    private func status(
        _ kind: String, title: HubString? = nil, message: String, isWorking: Bool = false,
        isOffline: Bool = false, isFailure: Bool = false, isQuiet: Bool = false,
        progress: HubView.Progress? = nil, canRetry: Bool = false
    ) -> HubView.Status {
        .init(
            kind: kind, isWorking: isWorking, isOffline: isOffline, isFailure: isFailure, isQuiet: isQuiet,
            title: title.map(appearance.text), message: message, progress: progress,
            retry: canRetry ? appearance.text(.tryAgain) : nil)
    }

    private static func progress(_ fraction: Double) -> HubView.Progress {
        let percent = fraction.isFinite ? Int((min(max(fraction, 0), 1) * 100).rounded(.down)) : 0
        return .init(percent: percent, text: "\(percent) %")
    }
}
