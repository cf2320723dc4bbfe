package dev.ligeiro.desk.page;

import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.view.Language;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.util.UriComponentsBuilder;

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

    private static final Pattern NUMBER = Pattern.compile("[0-9]+");
    private static final List<String> BYTES = List.of("B", "kB", "MB", "GB", "TB", "PB");
    private static final Pattern SIGNS = Pattern.compile("[^a-z]+");

    /** A link of the menu; the page itself is the current one. */
    public record MenuItem(String path, String text, boolean isCurrent) {

        /** @param isHome whether only the page itself is below {@code target}, not those whose paths begin so */
        public static MenuItem of(String target, String text, boolean isHome, HttpServletRequest request) {
            String path = pathOf(request);
            return new MenuItem(target, text, path.equals(target) || !isHome && path.startsWith(target + "/"));
        }
    }

    /** The frame of a request's page; that of a failure has the path that was asked for. */
    public static Frame of(
            HttpServletRequest request,
            Language language,
            ZoneId zone,
            List<MenuItem> menu,
            @Nullable String badge,
            @Nullable String who,
            Set<Role> roles,
            @Nullable String notice) {
        CsrfToken csrf = (CsrfToken) request.getAttribute(CsrfToken.class.getName());
        String query = request.getQueryString() == null ? "" : "?" + request.getQueryString();
        String token = csrf == null ? "" : csrf.getToken();
        return new Frame(language, zone, pathOf(request) + query, menu, badge, who, roles, token, notice);
    }

    private static String pathOf(HttpServletRequest request) {
        Object failed = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI);
        return failed == null ? request.getRequestURI() : failed.toString();
    }

    /** @param name such as {@code merchant.title} */
    public String text(String name, Object... values) {
        return language.text(name, values);
    }

    /** The text with this name; {@code otherwise} if there is none, such as for a code that a newer version has. */
    public String textOr(String name, String otherwise) {
        String text = language.find(name);
        return text == null ? otherwise : text;
    }

    /** The text of a code of the API, such as that of a status; the code itself if a newer version has it. */
    public String option(String field, String code) {
        return textOr("option." + field + "." + code, textOr("option." + code, code));
    }

    /** A refusal by the API, in the reader's language. */
    public String problem(Problem problem) {
        return textOr("problem." + problem.code().code(), problem.detail());
    }

    /** What is wrong in a field; in the API's words if they have no text. */
    public String error(FieldError error) {
        String name = error.code().equals("required") ? "error.required" : nameOf(error.message());
        Object[] numbers = NUMBER.matcher(error.message())
                .results()
                .map(MatchResult::group)
                .toArray();
        return language.find(name) == null ? error.message() : language.text(name, numbers);
    }

    /** The name of the text for a message of the API: {@code error.expected_at_most_n}, with the number as its value. */
    static String nameOf(String message) {
        String withoutNumbers = NUMBER.matcher(message.toLowerCase(Locale.ROOT)).replaceAll("n");
        return "error." + SIGNS.matcher(withoutNumbers).replaceAll("_");
    }

    /** Of a status: {@code good}, {@code bad}, {@code wait}, or {@code quiet} for others. */
    public static String style(String code) {
        return switch (code) {
            case "paid", "delivered", "active", "enabled", "settled", "confirmed", "made" -> "good";
            case "denied",
                    "exhausted",
                    "disabled",
                    "revoked",
                    "failing",
                    "failed",
                    "frozen",
                    "stopped",
                    "unknown",
                    "undelivered" -> "bad";
            case "pending",
                    "in_analysis",
                    "in_process",
                    "processing",
                    "proposed",
                    "retrying",
                    "open",
                    "running",
                    "expiring" -> "wait";
            default -> "quiet";
        };
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
        long minutes = Math.max(0, age.toMinutes());
        if (minutes < 1) {
            return Math.max(0, age.toSeconds()) + " s";
        }
        if (minutes < 60) {
            return minutes + " min";
        }
        long hours = minutes / 60;
        return hours < 24 ? hours + " h " + minutes % 60 + " min" : hours / 24 + " d " + hours % 24 + " h";
    }

    /** In decimal units, with one decimal, such as {@code 3.6 GB}. */
    public String bytes(long bytes) {
        double size = bytes;
        int unit = 0;
        while (size >= 1_000 && unit < BYTES.size() - 1) {
            size /= 1_000;
            unit++;
        }
        String number = unit == 0 ? String.valueOf(bytes) : String.format(Locale.ROOT, "%.1f", size);
        return (language == Language.ENGLISH ? number : number.replace('.', ',')) + " " + BYTES.get(unit);
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
        StringBuilder link = new StringBuilder("/console/do/" + capability.replace(' ', '/') + "?");
        for (int i = 0; i + 1 < values.length; i += 2) {
            link.append(values[i] + "=" + encoded(values[i + 1]) + "&");
        }
        return link + "back=" + encoded(path);
    }

    /** This page in the other language. */
    public String languageLink() {
        return with("lang", language.other().tag());
    }

    /** The next page of this list. */
    public String more(String cursor) {
        return with("after", cursor);
    }

    /** This page with another value of a parameter. */
    public String with(String parameter, String value) {
        return UriComponentsBuilder.fromUriString(path)
                .replaceQueryParam(parameter, encoded(value))
                .build()
                .toUriString();
    }

    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
