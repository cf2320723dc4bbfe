package dev.ligeiro.webhook;

/** How an endpoint's deliveries reach the merchant. */
public enum EndpointKind {
    /** They are posted to the merchant's URL. */
    PUSH,
    /** They are numbered, and the merchant reads them in the order of their numbers: the endpoint behind the feed of a tenant. */
    PULL
}
