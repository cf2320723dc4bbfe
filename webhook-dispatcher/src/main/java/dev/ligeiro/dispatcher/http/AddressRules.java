package dev.ligeiro.dispatcher.http;

import dev.ligeiro.webhook.AllowedNetworks;
import dev.ligeiro.webhook.IpLiteral;
import java.net.InetAddress;
import org.springframework.boot.http.client.InetAddressFilter;

/**
 * The rules for the addresses of webhooks: public addresses with TLS only, allowed networks with or without TLS. They are applied
 * to the address of the connection, so that neither a host name nor an unusual notation of an address can bypass them.
 */
final class AddressRules {

    /**
     * Excludes, besides the ranges of RFC 6890: Azure's metadata service, the local NAT64 prefix (RFC 8215) and the IPv4-compatible
     * addresses (RFC 4291 §2.5.5.1), because the last 32 bits of these may be an internal IPv4 address.
     */
    private static final InetAddressFilter PUBLIC =
            InetAddressFilter.externalAddresses().andNot("168.63.129.16", "64:ff9b:1::/48", "::/96");

    private final AllowedNetworks allowed;

    AddressRules(AllowedNetworks allowed) {
        this.allowed = allowed;
    }

    boolean allows(InetAddress address, boolean tls) {
        InetAddress unmapped = IpLiteral.unmapped(address);
        return allowed.contains(unmapped) || (tls && PUBLIC.matches(unmapped));
    }
}
