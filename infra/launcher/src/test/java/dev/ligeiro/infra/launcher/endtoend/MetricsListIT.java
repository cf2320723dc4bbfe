package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.launcher.ServiceKind;
import dev.ligeiro.infra.launcher.documents.MetricsPage;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** After the tests that create transactions, so that each metric has a series, and before those that stop a service. */
@Order(6)
class MetricsListIT {

    /** A metric that is measured every minute may be absent at first. */
    private static final Duration MEASURED_WITHIN = Duration.ofSeconds(150);

    private static final Pattern EXPORTED = Pattern.compile("(?m)^# HELP (\\w+)");
    private static final String OURS = "ligeiro_";

    private final SharedSystem system = SharedSystem.running();
    private final MetricsPage page = MetricsPage.read();

    /** Counters of commands and rail calls exist from the first one on. */
    @BeforeAll
    static void pay() {
        EndToEndMerchant merchant = SharedSystem.running().demoMerchant();
        merchant.pay(merchant.createCashin(merchant.cashin("10.00")).id());
    }

    @ParameterizedTest
    @EnumSource(ServiceKind.class)
    void aServiceExportsTheListedMetricsAndNoOtherOfOurs(ServiceKind kind) {
        await().atMost(MEASURED_WITHIN).untilAsserted(() -> {
            Set<String> exported = exported(kind);
            Set<String> listed = page.names(MetricsPage.ALL_SERVICES);
            if (kind == ServiceKind.DESK) {
                listed.removeIf(name -> name.startsWith(OURS));
            }
            assertThat(exported).containsAll(listed);
            listed.addAll(page.names(kind.module()));
            if (kind == ServiceKind.PROCESSOR) {
                listed.addAll(page.names("processor with live rails"));
            }
            exported.removeIf(name -> !name.startsWith(OURS));
            listed.removeIf(name -> !name.startsWith(OURS));
            assertThat(exported).isEqualTo(listed);
        });
    }

    /** The maximum of a timer or histogram belongs to it. */
    private Set<String> exported(ServiceKind kind) {
        Set<String> names = new TreeSet<>();
        Matcher help = EXPORTED.matcher(scrape(system.managementPort(kind)));
        while (help.find()) {
            names.add(help.group(1));
        }
        names.removeIf(name -> name.endsWith("_max") && names.contains(name.replaceFirst("_max$", "")));
        return names;
    }

    private static String scrape(int port) {
        return new Api("http://127.0.0.1:" + port, null)
                .get("/actuator/prometheus")
                .expect(200)
                .body();
    }
}
