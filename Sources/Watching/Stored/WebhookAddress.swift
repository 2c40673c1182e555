import SafeFetch

/// The address of a webhook.
typealias WebhookAddress = PublicLink
