// An app written for the SDK of Yabbi needs only one import.
@_exported import InlayPlatform
