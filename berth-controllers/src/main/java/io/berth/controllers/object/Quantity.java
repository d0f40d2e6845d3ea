package io.berth.controllers.object;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Amounts as the API writes them: `500m`, `10Gi`, `1e3`.
public final class Quantity {
    private static final Pattern FORM =
            Pattern.compile("([+-]?[0-9]*\\.?[0-9]+)([eE][+-]?[0-9]{1,3}|[numkMGTPE]|[KMGTPE]i|)");
    private static final Map<String, BigDecimal> UNITS =
            Map.ofEntries(
                    Map.entry("", BigDecimal.ONE),
                    Map.entry("n", BigDecimal.ONE.scaleByPowerOfTen(-9)),
                    Map.entry("u", BigDecimal.ONE.scaleByPowerOfTen(-6)),
                    Map.entry("m", BigDecimal.ONE.scaleByPowerOfTen(-3)),
                    Map.entry("k", BigDecimal.ONE.scaleByPowerOfTen(3)),
                    Map.entry("M", BigDecimal.ONE.scaleByPowerOfTen(6)),
                    Map.entry("G", BigDecimal.ONE.scaleByPowerOfTen(9)),
                    Map.entry("T", BigDecimal.ONE.scaleByPowerOfTen(12)),
                    Map.entry("P", BigDecimal.ONE.scaleByPowerOfTen(15)),
                    Map.entry("E", BigDecimal.ONE.scaleByPowerOfTen(18)),
                    Map.entry("Ki", new BigDecimal(1L << 10)),
                    Map.entry("Mi", new BigDecimal(1L << 20)),
                    Map.entry("Gi", new BigDecimal(1L << 30)),
                    Map.entry("Ti", new BigDecimal(1L << 40)),
                    Map.entry("Pi", new BigDecimal(1L << 50)),
                    Map.entry("Ei", new BigDecimal(1L << 60)));

    private Quantity() {}

    /// The amount; none where the text is not one.
    public static Optional<BigDecimal> parse(String text) {
        var found = FORM.matcher(text.strip());
        if (!found.matches()) {
            return Optional.empty();
        }
        String unit = found.group(2);
        BigDecimal factor = UNITS.get(unit);
        return factor == null
                ? number(found.group(1) + unit)
                : number(found.group(1)).map(each -> each.multiply(factor));
    }

    private static Optional<BigDecimal> number(String text) {
        try {
            return Optional.of(new BigDecimal(text));
        } catch (NumberFormatException notOne) {
            return Optional.empty();
        }
    }
}
