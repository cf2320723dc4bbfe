package dev.ligeiro.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A new collection either has personal data, and security.md says until when, or it has none, and this list says so. */
class PersonalDataTest {

    private static final Set<String> WITHOUT = Set.of(
            CollectionNames.MERCHANTS,
            CollectionNames.API_KEYS,
            CollectionNames.ENDPOINTS,
            CollectionNames.COUNTERS,
            CollectionNames.LANES,
            CollectionNames.REPLAYS,
            CollectionNames.ENDPOINT_CHANGES,
            CollectionNames.UNMATCHED_PAYMENTS,
            CollectionNames.DISPUTES,
            CollectionNames.RESOLUTIONS,
            CollectionNames.BUCKET_VERSIONS,
            CollectionNames.PAYLOAD_LOCATIONS,
            CollectionNames.STOPS,
            CollectionNames.GUARD_TOTALS,
            CollectionNames.SIMULATOR_LEDGER,
            CollectionNames.POSTINGS,
            CollectionNames.BALANCES,
            CollectionNames.BREAKS,
            CollectionNames.REDACTIONS,
            CollectionNames.ARCHIVED_MONTHS,
            CollectionNames.ARCHIVED_PARTS,
            CollectionNames.ARCHIVED_COUNTS,
            CollectionNames.LEASES,
            CollectionNames.DEAD_LETTERS_REDRIVEN);

    @Test
    void eachCollectionWithPersonalDataIsDocumented() throws IOException {
        String page = Files.readString(Path.of("../infra/docs/security.md"));
        Set<String> documented = Pattern.compile("(?m)^\\| ((?:`[a-z_]+`(?:, )?)+) \\|")
                .matcher(page.substring(page.indexOf("## Personal data")))
                .results()
                .flatMap(row -> Arrays.stream(row.group(1).replace("`", "").split(", ")))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> expected = new TreeSet<>(Set.of("list_counts"));
        for (Field field : CollectionNames.class.getFields()) {
            expected.add(value(field));
        }
        expected.removeAll(WITHOUT);

        assertThat(documented).isEqualTo(expected);
    }

    private static String value(Field field) {
        try {
            return String.valueOf(field.get(null));
        } catch (IllegalAccessException inaccessible) {
            throw new IllegalStateException(inaccessible);
        }
    }
}
