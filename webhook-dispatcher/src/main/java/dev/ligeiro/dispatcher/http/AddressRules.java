package dev.ligeiro.dispatcher.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
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

    /** An address in digits, not a name: the filter would resolve one, once, at start. */
    private static final Pattern NETWORK = Pattern.compile("([0-9]{1,3}(\\.[0-9]{1,3}){3}(/([0-9]|[12][0-9]|3[0-2]))?)"
            + "|([0-9a-fA-F.]*:[0-9a-fA-F:.]*(/([0-9]|[1-9][0-9]|1[01][0-9]|12[0-8]))?)");

    private static final int MAPPED_LENGTH = 16;
    private static final int MAPPED_PREFIX_LENGTH = 12;

    private final InetAddressFilter allowed;

    /** @throws IllegalArgumentException when one of {@code allowedNetworks} is no address or CIDR */
    AddressRules(List<String> allowedNetworks) {
        for (String network : allowedNetworks) {
            if (!NETWORK.matcher(network).matches()) {
                throw new IllegalArgumentException(
                        "allowed-networks: " + network + " (expected: an address or a CIDR)");
            }
        }
        this.allowed = allowedNetworks.isEmpty()
                ? InetAddressFilter.none()
                : InetAddressFilter.of(allowedNetworks.toArray(String[]::new));
    }

    boolean allows(InetAddress address, boolean tls) {
        InetAddress plain = unmapped(address);
        return allowed.matches(plain) || (tls && PUBLIC.matches(plain));
    }

    /** Converts {@code ::ffff:10.0.0.1} to 10.0.0.1. The JDK does so itself, except for addresses with a scope. */
    private static InetAddress unmapped(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length != MAPPED_LENGTH || !isMapped(bytes)) {
            return address;
        }
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, MAPPED_PREFIX_LENGTH, MAPPED_LENGTH));
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("four bytes are an address", impossible);
        }
    }

    private static boolean isMapped(byte[] bytes) {
        for (int i = 0; i < MAPPED_PREFIX_LENGTH - 2; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return bytes[MAPPED_PREFIX_LENGTH - 2] == -1 && bytes[MAPPED_PREFIX_LENGTH - 1] == -1;
    }
}
