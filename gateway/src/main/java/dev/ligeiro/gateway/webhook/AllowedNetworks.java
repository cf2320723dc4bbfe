package dev.ligeiro.gateway.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The inside networks that an operator has opened to webhooks. */
record AllowedNetworks(List<Network> networks) {

    static AllowedNetworks parse(List<String> cidrs) {
        return new AllowedNetworks(cidrs.stream()
                .map(String::strip)
                .filter(cidr -> !cidr.isEmpty())
                .map(Network::parse)
                .toList());
    }

    boolean isEmpty() {
        return networks.isEmpty();
    }

    /** @param literal an IPv4 or a bracketed IPv6 address: nothing is looked up */
    boolean contain(String literal) {
        try {
            byte[] address = InetAddress.getByName(literal).getAddress();
            return networks.stream().anyMatch(network -> network.contains(address));
        } catch (UnknownHostException notAnAddress) {
            return false;
        }
    }

    /** An address and how many of its first bits count. */
    record Network(byte[] address, int prefixLength) {

        /** All four numbers, without leading zeros: the JDK would read 10/8 as 0.0.0.10/8. An IPv6 address has a colon. */
        private static final Pattern CIDR =
                Pattern.compile("((?:(?:0|[1-9][0-9]{0,2})\\.){3}(?:0|[1-9][0-9]{0,2})|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)"
                        + "/([0-9]{1,3})");

        static Network parse(String cidr) {
            Matcher parts = CIDR.matcher(cidr);
            try {
                if (parts.matches()) {
                    byte[] address = InetAddress.getByName(parts.group(1)).getAddress();
                    int prefixLength = Integer.parseInt(parts.group(2));
                    if (prefixLength <= address.length * Byte.SIZE) {
                        return new Network(address, prefixLength);
                    }
                }
            } catch (UnknownHostException malformed) {
                // falls through to the one message
            }
            throw new IllegalArgumentException(
                    "ligeiro.webhook.allowed-networks: " + cidr + " (expected: a network such as 10.0.0.0/8)");
        }

        boolean contains(byte[] other) {
            if (other.length != address.length) {
                return false;
            }
            int whole = prefixLength / Byte.SIZE;
            int rest = prefixLength % Byte.SIZE;
            int mask = 0xFF00 >> rest & 0xFF;
            return Arrays.equals(address, 0, whole, other, 0, whole)
                    && (rest == 0 || (address[whole] & mask) == (other[whole] & mask));
        }
    }
}
