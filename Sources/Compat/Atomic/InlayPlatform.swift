// An app written for the SDK of Atomic needs only one import.
@_exported import InlayPlatform
