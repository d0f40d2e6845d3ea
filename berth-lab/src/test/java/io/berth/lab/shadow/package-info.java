@org.jspecify.annotations.NullMarked
package io.berth.lab.shadow;
