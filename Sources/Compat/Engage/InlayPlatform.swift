// An app written for the SDK of Engage needs only one import.
@_exported import InlayPlatform
