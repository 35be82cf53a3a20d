// An app written for the original needs one import only.
@_exported public import InlayPlatform
