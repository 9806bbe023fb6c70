int static_part(void)
{
    return 1;
}
