import InlayCards
