internal import InlayHub

/// The severity of a message, from the most to the least restrictive level.
public enum ZBiMSeverityLevel: Int, Sendable, CaseIterable {
    case none, criticalError, error, warning, info
}

/// The audience of a message, from the most to the least restrictive level.
public enum ZBiMVerbosityLevel: Int, Sendable, CaseIterable {
    case none, debug, info
}

/// Nothing is logged.
public let ZBiMLogSeverityNone = ZBiMSeverityLevel.none
/// Critical errors are logged.
public let ZBiMLogSeverityCriticalError = ZBiMSeverityLevel.criticalError
/// Errors and worse are logged.
public let ZBiMLogSeverityError = ZBiMSeverityLevel.error
/// Warnings and worse are logged.
public let ZBiMLogSeverityWarning = ZBiMSeverityLevel.warning
/// Every severity is logged.
public let ZBiMLogSeverityInfo = ZBiMSeverityLevel.info
/// Nothing is logged.
public let ZBiMLogVerbosityNone = ZBiMVerbosityLevel.none
/// Messages for developers are logged.
public let ZBiMLogVerbosityDebug = ZBiMVerbosityLevel.debug
/// Every verbosity is logged.
public let ZBiMLogVerbosityInfo = ZBiMVerbosityLevel.info
/// Another name of ``ZBiMLogVerbosityInfo``, which ZBiM's guide uses once.
public let ZBiMLogVerbosityAlert = ZBiMVerbosityLevel.info

extension HubLog.Severity {
    init(_ level: ZBiMSeverityLevel) { self = HubLog.Severity(rawValue: level.rawValue) ?? .none }
}

extension HubLog.Verbosity {
    init(_ level: ZBiMVerbosityLevel) { self = HubLog.Verbosity(rawValue: level.rawValue) ?? .none }
}
