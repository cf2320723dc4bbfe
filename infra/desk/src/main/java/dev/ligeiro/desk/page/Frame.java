package dev.ligeiro.desk.page;

import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.transaction.Amount;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What every page shows around its content, and how its content shows texts, amounts and times. Each template has it as the parameter
 * {@code frame}.
 *
 * @param path the page's path, with its query
 * @param menu empty on the sign-in page
 * @param badge a word beside the brand, such as the mode; null for none
 * @param who the person; null before the sign-in
 * @param roles what the operator may do; empty on pages of merchants
 * @param csrf the token that each form sends as {@code _csrf}
 * @param notice the outcome of the change before; null for none
 */
public record Frame(
        Language language,
        ZoneId zone,
        String path,
        List<MenuItem> menu,
        @Nullable String badge,
        @Nullable String who,
        Set<Role> roles,
        String csrf,
        @Nullable String notice) {

    /** A link of the menu; the page itself is the current one. */
    public record MenuItem(String path, String text, boolean isCurrent) {}

    /** @param name such as {@code merchant.title} */
    public String text(String name, Object... values) {
        return language.text(name, values);
    }

    /** The text with this name; {@code otherwise} if there is none, such as for a code that a newer version has. */
    public String textOr(String name, String otherwise) {
        String text = language.find(name);
        return text == null ? otherwise : text;
    }

    public String amount(Amount amount) {
        return language.format(amount);
    }

    public String amount(String decimal) {
        return language.amount(decimal);
    }

    public String time(Instant at) {
        return language.format(at, zone);
    }

    /** A length of time in its two largest units, such as {@code 3 h 12 min}. */
    public String age(Duration age) {
        long seconds = Math.max(0, age.toSeconds());
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3_600) {
            return seconds / 60 + " min";
        }
        return seconds < 86_400
                ? seconds / 3_600 + " h " + seconds % 3_600 / 60 + " min"
                : seconds / 86_400 + " d " + seconds % 86_400 / 3_600 + " h";
    }

    public boolean may(Role role) {
        return role == Role.READ || roles.contains(role);
    }

    /**
     * The page with the form of a capability; after the change, its form leads back to this page.
     *
     * @param capability the group and the verb, as in {@code infra/admin keys rotate}
     * @param values names and values of the path's variables and of fields that are filled in, alternating
     */
    public String action(String capability, String... values) {
        StringBuilder link = new StringBuilder("/console/do/")
                .append(capability.replace(' ', '/'))
                .append('?');
        for (int i = 0; i + 1 < values.length; i += 2) {
            link.append(values[i]).append('=').append(encoded(values[i + 1])).append('&');
        }
        return link.append("back=").append(encoded(path)).toString();
    }

    /** This page in the other language. */
    public String languageLink() {
        return path + (path.indexOf('?') < 0 ? "?" : "&") + "lang="
                + language.other().tag();
    }

    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
