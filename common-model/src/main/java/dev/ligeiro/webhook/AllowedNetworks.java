package dev.ligeiro.webhook;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The internal networks that an operator has opened to webhooks: the setting {@code ligeiro.webhook.allowed-networks}. The gateway
 * checks URLs against it at registration, the dispatcher checks addresses when it connects; both parse it here. The gateway's other lists
 * of networks have the same form.
 *
 * <p>An entry is a network such as {@code 10.0.0.0/8}, or an address without a prefix length, which means that one address. Names,
 * leading zeros and bits beyond the prefix length are refused. An IPv4-mapped IPv6 entry is read as IPv4.
 */
public record AllowedNetworks(List<Network> networks) {

    private static final String KEY = "ligeiro.webhook.allowed-networks";

    /** {@link #parse(String, List)} of the setting. */
    public static AllowedNetworks parse(List<String> entries) {
        return parse(KEY, entries);
    }

    /**
     * Parses entries; blank ones are skipped.
     *
     * @param key the name of the list
     * @throws IllegalArgumentException for an entry that is neither an address nor a network; the message names the key, the entry
     *     and the expected form
     */
    public static AllowedNetworks parse(String key, List<String> entries) {
        return new AllowedNetworks(entries.stream()
                .map(String::strip)
                .filter(entry -> !entry.isEmpty())
                .map(entry -> Network.parse(key, entry))
                .toList());
    }

    public boolean isEmpty() {
        return networks.isEmpty();
    }

    public boolean contains(InetAddress address) {
        byte[] bytes = IpLiteral.unmapped(address).getAddress();
        return networks.stream().anyMatch(network -> network.contains(bytes));
    }

    /**
     * All addresses that share their first bits with one address.
     *
     * @param address the lowest address of the network
     * @param prefixLength the number of shared bits
     */
    public record Network(InetAddress address, int prefixLength) {

        private static final Pattern ENTRY = Pattern.compile("([^/]+)(?:/(0|[1-9][0-9]{0,2}))?");
        private static final int MAPPED_PREFIX_BITS = 96;
        private static final int IPV4_BYTES = 4;

        static Network parse(String key, String entry) {
            Matcher parts = ENTRY.matcher(entry);
            Optional<InetAddress> address = parts.matches() ? IpLiteral.parse(parts.group(1)) : Optional.empty();
            if (address.isEmpty()) {
                throw invalid(key, entry, "an address such as 10.1.2.3 or a network such as 10.0.0.0/8");
            }
            int bits = address.get().getAddress().length * Byte.SIZE;
            if (parts.group(2) == null) {
                return new Network(address.get(), bits);
            }
            boolean mapped = bits == IPV4_BYTES * Byte.SIZE && parts.group(1).indexOf(':') >= 0;
            int prefixLength = Integer.parseInt(parts.group(2)) - (mapped ? MAPPED_PREFIX_BITS : 0);
            if (prefixLength < 0 || prefixLength > bits) {
                throw invalid(
                        key, entry, mapped ? "a prefix length from 96 to 128" : "a prefix length from 0 to " + bits);
            }
            return withoutBitsBeyondPrefix(key, entry, address.get(), prefixLength);
        }

        private static Network withoutBitsBeyondPrefix(
                String key, String entry, InetAddress address, int prefixLength) {
            byte[] lowest = masked(address.getAddress(), prefixLength);
            Network network = new Network(IpLiteral.ofBytes(lowest), prefixLength);
            if (!network.address.equals(address)) {
                throw invalid(key, entry, network + ", or " + address.getHostAddress() + " for that one address");
            }
            return network;
        }

        boolean contains(byte[] other) {
            byte[] own = address.getAddress();
            return other.length == own.length && Arrays.equals(own, masked(other, prefixLength));
        }

        @Override
        public String toString() {
            return address.getHostAddress() + "/" + prefixLength;
        }

        /** {@code address} with every bit beyond the prefix length cleared. */
        private static byte[] masked(byte[] address, int prefixLength) {
            byte[] masked = address.clone();
            for (int i = 0; i < masked.length; i++) {
                int kept = Math.max(0, Math.min(Byte.SIZE, prefixLength - i * Byte.SIZE));
                masked[i] &= (byte) (0xFF00 >> kept);
            }
            return masked;
        }

        private static IllegalArgumentException invalid(String key, String entry, String expected) {
            return new IllegalArgumentException(key + ": " + entry + " (expected: " + expected + ")");
        }
    }
}
