package dev.ligeiro.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads IP addresses written in digits. It never resolves a name. */
public final class IpLiteral {

    /**
     * A decimal number up to 255 without leading zeros: some resolvers read 010.0.0.1 as 10.0.0.1, others as 8.0.0.1. The JDK reads 10.1
     * as 10.0.0.1, and looks 256.0.0.1 up as a name.
     */
    private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";

    private static final Pattern IPV4 = Pattern.compile("(" + OCTET + "\\.){3}" + OCTET);

    /** Only the characters of an IPv6 address, without a scope; the JDK checks the rest. */
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F.]*:[0-9a-fA-F:.]*");

    private static final int IPV6_BYTES = 16;
    private static final int MAPPED_PREFIX_BYTES = 12;

    private IpLiteral() {}

    /** The address that {@code text} denotes; an IPv4-mapped IPv6 address gives the IPv4 address. Empty for any other text. */
    public static Optional<InetAddress> parse(String text) {
        boolean ipv6 = IPV6.matcher(text).matches();
        if (!ipv6 && !IPV4.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(unmapped(InetAddress.getByName(ipv6 ? "[" + text + "]" : text)));
        } catch (UnknownHostException malformed) {
            return Optional.empty();
        }
    }

    /** The IPv4 address 10.0.0.1 for the IPv4-mapped IPv6 address {@code ::ffff:10.0.0.1}; any other address as it is. */
    public static InetAddress unmapped(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == IPV6_BYTES && isMapped(bytes)
                ? ofBytes(Arrays.copyOfRange(bytes, MAPPED_PREFIX_BYTES, IPV6_BYTES))
                : address;
    }

    static InetAddress ofBytes(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(bytes.length + " bytes (expected: 4 or 16)", impossible);
        }
    }

    /** Ten zero bytes, then two bytes ff (RFC 4291 §2.5.5.2). */
    private static boolean isMapped(byte[] bytes) {
        for (int i = 0; i < MAPPED_PREFIX_BYTES - 2; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return bytes[MAPPED_PREFIX_BYTES - 2] == -1 && bytes[MAPPED_PREFIX_BYTES - 1] == -1;
    }
}
