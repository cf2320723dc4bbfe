package dev.ligeiro.dispatcher.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.webhook.AllowedNetworks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** The dispatcher's own rules and the network policy of Kubernetes keep webhooks out of the same networks. */
class GuardedDnsTest {

    private static final Path POLICIES = Path.of("..", "infra", "kubernetes", "base", "network.yaml");

    private static final AllowedNetworks NONE = new AllowedNetworks(List.of());

    private final List<Map<?, ?>> blocks = blocks();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.255.255.254",
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.1",
                "100.64.0.1",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.1",
                "192.0.2.1",
                "192.168.1.1",
                "198.18.0.1",
                "198.51.100.1",
                "203.0.113.1",
                "224.0.0.1",
                "240.0.0.1",
                "255.255.255.255",
                "168.63.129.16",
                "::",
                "::1",
                "::7f00:1",
                "::ffff:127.0.0.1",
                "::ffff:169.254.169.254",
                "::ffff:a00:1",
                "::ffff:0:10.0.0.1",
                "100:0:0:1::1",
                "64:ff9b::a00:1",
                "64:ff9b:1::a00:1",
                "2001:db8::1",
                "2001:20::1",
                "3fff::1",
                "3fff:fff:ffff::1",
                "4000::1",
                "5f00::1",
                "2002:a00:1::",
                "fc00::1",
                "fd00:ec2::254",
                "fe80::1",
                "fec0::1",
                "ff02::1",
                "10.255.255.255",
                "100.127.0.1",
                "192.168.255.255",
                "198.19.255.255",
                "239.255.255.255",
                "2001::1",
                "3fff:fff::1",
                // other notations of 127.0.0.1 that the JDK reads
                "2130706433",
                "127.1",
                "127.0.1"
            })
    void internalAddressesAreRefused(String address) throws Exception {
        assertThat(isOpenTo(InetAddress.getByName(address))).isFalse();
        assertThat(GuardedDns.allows(NONE, InetAddress.getByName(address), true))
                .isFalse();
        assertThat(GuardedDns.allows(NONE, InetAddress.getByName(address), false))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "8.8.8.8",
                "100.128.0.1",
                "172.32.0.1",
                "200.160.2.3",
                "2000::1",
                "2606:4700:4700::1111",
                "2804:1::1",
                "3ffe::1"
            })
    void publicAddressesNeedTls(String address) throws Exception {
        assertThat(isOpenTo(InetAddress.getByName(address))).isTrue();
        assertThat(GuardedDns.allows(NONE, InetAddress.getByName(address), true))
                .isTrue();
        assertThat(GuardedDns.allows(NONE, InetAddress.getByName(address), false))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "10.20.0.0/16, 10.20.3.4, true",
        "10.20.0.0/16, ::ffff:10.20.3.4, true",
        "10.20.0.0/16, 10.21.0.1, false",
        "64:ff9b::/96, 64:ff9b::a00:1, true",
        "5f00::/16, 5f00::1, true",
        "5f00::/16, 5f01::1, false"
    })
    void anAllowedNetworkNeedsNoTls(String network, String address, boolean allowed) throws Exception {
        AllowedNetworks networks = AllowedNetworks.parse(List.of(network));
        assertThat(GuardedDns.allows(networks, InetAddress.getByName(address), true))
                .isEqualTo(allowed);
        assertThat(GuardedDns.allows(networks, InetAddress.getByName(address), false))
                .isEqualTo(allowed);
    }

    @Test
    void whatThePolicyExcludesIsRefusedByTheDispatcher() throws Exception {
        for (Map<?, ?> block : blocks) {
            for (Object excluded : list(block.get("except"))) {
                String lowest = excluded.toString().split("/")[0];
                assertThat(GuardedDns.allows(NONE, InetAddress.getByName(lowest), true))
                        .as(excluded.toString())
                        .isFalse();
            }
        }
    }

    private boolean isOpenTo(InetAddress address) {
        return blocks.stream()
                .anyMatch(block -> networks(List.of(block.get("cidr"))).contains(address)
                        && !networks(list(block.get("except"))).contains(address));
    }

    private static AllowedNetworks networks(List<?> cidrs) {
        return AllowedNetworks.parse(cidrs.stream().map(Object::toString).toList());
    }

    private static List<Map<?, ?>> blocks() {
        try {
            Map<?, ?> policy = StreamSupport.stream(
                            new Yaml().loadAll(Files.readString(POLICIES)).spliterator(), false)
                    .map(Map.class::cast)
                    .filter(document -> "webhook-dispatcher"
                            .equals(map(document.get("metadata")).get("name")))
                    .findFirst()
                    .orElseThrow();
            Object rule = list(map(policy.get("spec")).get("egress")).get(0);
            return list(map(rule).get("to")).stream()
                    .<Map<?, ?>>map(peer -> map(map(peer).get("ipBlock")))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<?, ?> map(@Nullable Object node) {
        return (Map<?, ?>) Objects.requireNonNull(node);
    }

    private static List<?> list(@Nullable Object node) {
        return (List<?>) Objects.requireNonNull(node);
    }
}
